! head: f(y)/(x)
! layout: extend
! Saved state of procedures outside of modules goes to modules that are added before them: variables without declarations
! under a bare SAVE, data statements, kinds and types of modules that are used.
      MODULE KINDS
      INTEGER,PARAMETER::WP=8
      TYPE PT
       REAL(WP)::A=0
      END TYPE
      END MODULE
      SUBROUTINE G(U,R,DX)
      IMPLICIT DOUBLE PRECISION (A-H,O-Z)
      LOGICAL FIRST
      DIMENSION PAST(3)
      SAVE
      DATA FIRST/.TRUE./, CP/1.004D0/, UOLD/0.D0/, PAST/3*0.D0/
      IF (.NOT.FIRST) GOTO 10
      C=1.D0/(DX*DX)
      FIRST=.FALSE.
   10 CONTINUE
      R=U*U*C+UOLD*U*CP+PAST(3)
      DO 20 K=3,2,-1
   20 PAST(K)=PAST(K-1)*U
      PAST(1)=U
      UOLD=U*R
      END
      FUNCTION STEP(U) RESULT(R)
      USE KINDS
      IMPLICIT NONE
      REAL(WP),INTENT(IN)::U
      REAL(WP)::R
      REAL(WP),SAVE::HIST(2)=0
      TYPE(PT),SAVE::P
      INTEGER,SAVE::N=0
      N=N+1
      R=SIN(U)*HIST(1)+HIST(2)*N+P%A*U
      HIST(2)=HIST(1)
      HIST(1)=U
      P%A=R*0.1D0
      END
      SUBROUTINE F(X,Y)
      IMPLICIT DOUBLE PRECISION (A-H,O-Z)
      DIMENSION X(4),Y(4)
      DO 20 I=1,4
      CALL G(X(I),Y(I),0.5D0+0.1D0*X(1))
   20 Y(I)=STEP(0.3D0*Y(I))
      END
