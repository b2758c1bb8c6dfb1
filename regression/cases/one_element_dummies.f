! head: f(y)/(x)
! loose: run-time checks of bounds stop such a program.
! Dummies that are declared with one element, of which more are used: parts of a work array, columns.
      SUBROUTINE TRI(A,X,C,N)
      IMPLICIT REAL*8 (A-H,O-Z)
      DIMENSION A(1),X(1),C(N,1)
      DO 10 J=2,N
      X(J)=X(J)*X(J-1)+A(J)*C(J,2)
   10 A(J)=A(J)*X(J)
      END
      SUBROUTINE F(X,Y)
      IMPLICIT REAL*8 (A-H,O-Z)
      DIMENSION X(5),Y(5),W(11),C(5,2)
      DO 1 I=1,5
      W(I)=X(I)**2
      C(I,1)=1.D0
      C(I,2)=X(I)
    1 W(I+5)=X(I)
      DO 2 K=1,3
    2 CALL TRI(W(1),W(6),C,5)
      DO 3 I=1,5
    3 Y(I)=W(I)*W(I+5)
      END
