! Tangents and adjoints of LAPACK procedures, for programs that link with LAPACK and BLAS.
module costate_lapack
  use costate_lapack_s
  use costate_lapack_d
  implicit none
  public
end module
