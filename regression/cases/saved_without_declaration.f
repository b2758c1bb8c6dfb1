! head: f(y)/(x)
! refused: C0404 at 9
! a bare SAVE keeps what has no declaration, too: a constant of the first call
      SUBROUTINE G(U,R,DX)
      IMPLICIT DOUBLE PRECISION (A-H,O-Z)
      LOGICAL FIRST
      SAVE
      DATA FIRST/.TRUE./
      IF (FIRST) C=1.D0/(DX*DX)
      FIRST=.FALSE.
      R=U*U*C
      END
      SUBROUTINE F(X,Y)
      IMPLICIT DOUBLE PRECISION (A-H,O-Z)
      DIMENSION X(3),Y(3)
      DO 20 I=1,3
   20 CALL G(X(I),Y(I),0.5D0)
      END
