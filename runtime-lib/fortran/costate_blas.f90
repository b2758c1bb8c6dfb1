! Tangents and adjoints of BLAS procedures, for programs that link with BLAS.
module costate_blas
  use costate_blas_s
  use costate_blas_d
  implicit none
  public
end module
