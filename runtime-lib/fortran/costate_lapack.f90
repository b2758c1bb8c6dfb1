! Tangents and adjoints of LAPACK procedures, for programs that link with LAPACK.
module costate_lapack
  use costate_lapack_factors_s
  use costate_lapack_factors_d
  use costate_lapack_factors_c
  use costate_lapack_factors_z
  use costate_lapack_inverse_s
  use costate_lapack_inverse_d
  use costate_lapack_inverse_c
  use costate_lapack_inverse_z
  use costate_lapack_banded_s
  use costate_lapack_banded_d
  use costate_lapack_orthogonal_s
  use costate_lapack_orthogonal_d
  use costate_lapack_eigen_s
  use costate_lapack_eigen_d
  implicit none
  public
end module
