! Tangents and adjoints of BLAS procedures, for programs that link with BLAS.
module costate_blas
  use costate_blas1_s
  use costate_blas1_d
  use costate_blas1_c
  use costate_blas1_z
  use costate_blas2_s
  use costate_blas2_d
  use costate_blas2_c
  use costate_blas2_z
  use costate_blas_stored_s
  use costate_blas_stored_d
  use costate_blas_stored_c
  use costate_blas_stored_z
  use costate_blas3_s
  use costate_blas3_d
  use costate_blas3_c
  use costate_blas3_z
  implicit none
  public
end module
