! head: f(y,s)/(x,a)
! size: n=7 m=3
! threads: 4
! Fixed form: directives under all comment signs, with continuations, labels shared by loops, conditional lines, glued and
! parted words, tabs, labels of cards, texts over the end of lines.
      SUBROUTINEF(N,M,X,A,Y,S)
      INTEGERN,M,I,J,K
      R E A L*8 X(N),A(M,N),Y(N)
      DOUBLEPRECISIONS,T,DO10I,GOTO,H(2)
      INTENT(IN)N,M,X,A
      INTENT(OUT)Y,S
      CHARACTER*120 LINE
C$    INTEGER OMP_GET_MAX_THREADS
C$    EXTERNAL OMP_GET_MAX_THREADS
      S=0. D0
      DO10I=1.5
      GOTO=2.D0
      K=1
C$    K=MAX(1,MIN(1,OMP_GET_MAX_THREADS(
C$   &  )))
*$OMP PARALLEL DO DEFAULT(SHARED) PRIVATE(I,J,
*$OMP+            T) REDUCTION(+:S)                                     CARD0010
C     A comment within
      DO10I=1,N
        T=0.D0
        DO 10 J=1,M
          T=T+A(J,I)*
C             a comment in a statement
     1        SIN(X(I))
     $        +GO TO*DO10I*X ( I )
C$        T=T*K
          Y(I)=T
          IF(J.EQ.M)S=S+Y(I)
   10 CONTINUE
c$OMP END PARALLEL DO
!$omp parallel
c$omp do
      do 20, i=1,n
        if(y(i).gt..5d0.and.i.ne.2)goto20
        y(i)=y(i)**2
20    continue
!$omp end do
!$omp sections
!$omp section
      h(1)=x(1)**2
!$omp section
      h(2)=sin(x(n))
!$omp end sections
C$OMP ENDPARALLEL
      WRITE(LINE,100)'it''s; a text ! that goes on in the next line, and
     & has blanks'
  100 FORMAT(1X,5HDON'T,A)
	if (line(2:3).eq.'DO'.and.len_trim(line).gt.50) then
	  y(1) = y(1)*
	1   x(1); y(2) = y(2)*h(1) + h(2)
	e n d i f
!$omp paralleldo
      do i = 3, n
        y(i) = y(i)*x(i)
!!$     y(i) = 0
C$$     y(i) = 0
      end do
      END
