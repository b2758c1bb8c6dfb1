//! Speed of the tool: a large program is read, parsed and resolved.

use std::fmt::Write as _;
use std::time::Instant;

use costate_adjoint::pipeline::{self, Options};
use costate_grammar::diag::Severity;
use costate_grammar::form::{ReadOptions, read};
use costate_grammar::source::SourceMap;

/// Generates at least `lines` lines, reads them, and says how it went.
pub(crate) fn measure(lines: usize) -> Result<String, String> {
    let texts = program(lines);
    let total: usize = texts.iter().map(|(_, t)| t.lines().count()).sum();
    let start = Instant::now();
    let mut sources = SourceMap::default();
    let mut files = Vec::new();
    for (name, text) in texts {
        let file = read(&mut sources, &name, text, &ReadOptions::default());
        if let Some(d) = file.diagnostics.iter().find(|d| d.severity == Severity::Error) {
            return Err(format!("{name}: {}", d.message));
        }
        files.push(file);
    }
    let program = pipeline::load(&mut sources, &files, &Options::default());
    let program = program.map_err(|d| d.first().map_or(String::new(), |d| d.message.clone()))?;
    let seconds = start.elapsed().as_secs_f64();
    drop(program);
    Ok(format!(
        "read, parse, resolve {total} lines: {seconds:.2} s, {:.0} lines/s, peak {:.0} MiB (goal: 10 s, 1024 MiB)",
        total as f64 / seconds,
        peak_memory()
    ))
}

/// Peak resident memory of this process in MiB, where the system tells.
pub(crate) fn peak_memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:")).unwrap_or("0 kB");
    line.trim().trim_end_matches("kB").trim().parse::<f64>().unwrap_or(f64::NAN) / 1024.0
}

/// A model in files of about 2500 lines: a module of types and constants, then modules of physics that use the ones before.
fn program(lines: usize) -> Vec<(String, String)> {
    let mut out = vec![("grid.f90".to_string(), grid())];
    let mut written = out[0].1.lines().count();
    let mut number = 0;
    while written < lines {
        number += 1;
        let text = physics(number);
        written += text.lines().count();
        out.push((format!("physics_{number:03}.f90"), text));
    }
    out
}

fn grid() -> String {
    "module grid\n  use iso_fortran_env, only: real64\n  implicit none\n  integer, parameter :: wp = real64\n  \
     real(wp), parameter :: gravity = 9.81_wp, cp = 1004.5_wp, rd = 287.0_wp\n  type :: state\n    \
     real(wp), allocatable :: t(:, :, :), q(:, :, :), u(:, :, :)\n    real(wp) :: time = 0.0_wp\n  end type state\n  \
     type :: column\n    real(wp) :: p(80), t(80), q(80)\n    integer :: levels = 80\n  end type column\nend module grid\n"
        .to_string()
}

fn physics(number: usize) -> String {
    let mut t = String::new();
    let _ = writeln!(t, "! Physics package {number}.\nmodule physics_{number:03}\n  use grid");
    if number > 1 {
        let _ = writeln!(t, "  use physics_{:03}, only: saturate_{:03}_01", number - 1, number - 1);
    }
    let _ = writeln!(t, "  implicit none\n  private\n  real(wp), save :: efficiency = 0.{:03}_wp", number % 900 + 7);
    for p in 1..=32 {
        let _ =
            writeln!(t, "  public :: saturate_{number:03}_{p:02}, flux_{number:03}_{p:02}, step_{number:03}_{p:02}");
    }
    let _ = writeln!(t, "contains");
    for p in 1..=32 {
        procedures(&mut t, number, p);
    }
    let _ = writeln!(t, "end module physics_{number:03}");
    t
}

fn procedures(t: &mut String, number: usize, p: usize) {
    let id = format!("{number:03}_{p:02}");
    let other = if number > 1 { format!("saturate_{:03}_01", number - 1) } else { format!("saturate_{id}") };
    let _ = write!(
        t,
        "
  ! Saturation vapour pressure over water and ice.
  elemental function saturate_{id}(temp) result(es)
    real(wp), intent(in) :: temp
    real(wp) :: es, a
    a = merge(17.27_wp, 21.87_wp, temp > 273.16_wp)
    if (temp > 100.0_wp .and. temp < 400.0_wp) then
      es = 610.78_wp*exp(a*(temp - 273.16_wp)/(temp - {p}.86_wp))
    else
      es = 0.0_wp ! out of range
    end if
  end function saturate_{id}

  ! Vertical fluxes with a limiter.
  subroutine flux_{id}(n, m, t, q, flux, dz)
    integer, intent(in) :: n, m
    real(wp), intent(in) :: t(n, m), q(n, m), dz(m)
    real(wp), intent(inout) :: flux(n, 0:m)
    real(wp) :: slope, limited, work(n)
    integer :: i, k
    work = 0.0_wp
    do k = 2, m - 1
      do i = 1, n
        slope = (t(i, k + 1) - t(i, k - 1))/(dz(k) + dz(k + 1)) + &
            0.5_wp*efficiency*(q(i, k + 1) - q(i, k - 1))
        if (abs(slope) < 1.0e-3_wp) then
          limited = slope
        else if (slope > 0.0_wp) then
          limited = min(slope, {p}.0_wp)
        else
          limited = max(slope, -{p}.0_wp)
        end if
        work(i) = work(i) + limited**2
        flux(i, k) = flux(i, k) - limited*(1.0_wp + sqrt(work(i)))
      end do
    end do
    where (flux(:, 1) > 10.0_wp)
      flux(:, 1) = 10.0_wp
    elsewhere
      flux(:, 1) = flux(:, 1)*0.99_wp
    end where
  end subroutine flux_{id}

  subroutine step_{id}(s, c, n, m, dt)
    type(state), intent(inout) :: s
    type(column), intent(inout) :: c
    integer, intent(in) :: n, m
    real(wp), intent(in) :: dt
    real(wp) :: flux(n, 0:m), dz(m), total
    integer :: i, k, trips
    dz(:) = [(real(k, wp)*0.5_wp, k=1, m)]
    flux = 0.0_wp
    trips = 0
    call flux_{id}(n, m, s%t(:, 1, :), s%q(:, 1, :), flux, dz=dz)
    do while (trips < 3)
      trips = trips + 1
      select case (trips)
      case (1)
        total = sum(s%t(:, 1, 1:m))/(n*m)
      case (2:3)
        total = maxval(abs(s%q(:, 1, 1:m)))
      case default
        exit
      end select
      do k = 1, c%levels
        c%q(k) = c%q(k) + dt*(saturate_{id}(c%t(k)) - {other}(c%t(k)))*total/c%p(k)
      end do
    end do
    do concurrent (i = 1:n)
      s%u(i, 1, 1) = s%u(i, 1, 1) - dt*(flux(i, 1) - flux(i, 0))/dz(1)
    end do
    s%time = s%time + dt
  end subroutine step_{id}
"
    );
}
