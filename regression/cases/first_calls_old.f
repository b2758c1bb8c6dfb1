! head: f(y)/(x)
! Fixed form of old: tables of a first call behind jumps, statement functions, names without types under a bare SAVE, data
! statements for several variables, arithmetic IF, loops that share a label.
      SUBROUTINE CONDEN(T,Q,P,N)
      IMPLICIT DOUBLE PRECISION (A-H,O-Z)
      DIMENSION T(*),Q(*),P(N)
      PARAMETER (NTAB=200,CP=1004.D0,ALV=2.5D6)
      DIMENSION TAB(NTAB),DZ(3,2)
      LOGICAL DONE
      SAVE
      DATA DONE/.FALSE./, TWO/2.D0/
      ES(X)=611.D0*EXP(17.27D0*(X-273.16D0)/(X-35.86D0))
      DES(X)=ES(X)*17.27D0*(273.16D0-35.86D0)/(X-35.86D0)**2
      IF (DONE) GOTO 8
      DO 5 I=1,NTAB
    5 TAB(I)=ES(200.D0+DBLE(I))
      DO 6 J=1,2
      DO 6 I=1,3
    6 DZ(I,J)=TWO*I*J
      HALF=1.D0/TWO
      DONE=.TRUE.
    8 CONTINUE
      DO 100 I=1,N
      IT=INT(T(I)-200.D0)
      IF (IT.LT.1) GOTO 100
      IF (IT.GT.NTAB-1) GO TO 100
      W=T(I)-200.D0-IT
      E=(1.D0-W)*TAB(IT)+W*TAB(IT+1)
      QS=HALF*1.244D0*E/(P(I)-0.378D0*E)
      IF (Q(I)-QS) 100,50,30
   30 DQ=(Q(I)-QS)/(1.D0+ALV/CP*0.622D0*DES(T(I))/P(I))
      T(I)=T(I)+ALV/CP*DQ*DZ(2,1)/4.D0
      Q(I)=Q(I)-DQ
      GOTO 100
   50 Q(I)=QS
  100 CONTINUE
      END
      SUBROUTINE F(X,Y)
      IMPLICIT DOUBLE PRECISION (A-H,O-Z)
      DIMENSION X(4),Y(8),T(4),Q(4),P(4)
      DO 10 I=1,4
      T(I)=270.D0+20.D0*X(I)
      Q(I)=0.01D0*(1.D0+X(I)**2)
   10 P(I)=9.D4+1.D3*X(I)
      DO 15 K=1,2
   15 CALL CONDEN(T,Q,P,4)
      DO 20 I=1,4
      Y(I)=T(I)/300.D0
   20 Y(I+4)=Q(I)*100.D0
      END
