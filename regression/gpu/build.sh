#!/bin/sh
# Builds what run.sh runs on a machine with a GPU: ./build.sh FOLDER
# Needs gfortran with its compiler for Nvidia's devices (Debian: gcc-12-offload-nvptx) and costate (`make build`).
set -e
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
out=${1:?say where the bundle is to go}
costate=${COSTATE:-$root/target/release/costate}
arch=${GPU_ARCH:-sm_80}
fflags="-O2 -march=x86-64-v3 -foffload=nvptx-none -foffload-options=nvptx-none=-misa=$arch"
ldflags="-foffload-options=-lm -foffload-options=-lgfortran"
mkdir -p "$out/lib"
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

check() { # check NAME FILE HEAD SIZES [OPTIONS]: the programs of costate check, to be run as they are
  options="$5"
  for size in $4; do options="$options --size $size"; done
  # The last words of the run here don't count: it may have no device.
  "$costate" check "$2" --head "$3" $options --acc --build optimised --keep "$work/$1" --fflags "$fflags" \
    --ldflags "$ldflags" > "$work/$1.log" 2>&1 || true
  if [ ! -f "$work/$1/run.sh" ]; then echo "$1: not built"; cat "$work/$1.log"; return; fi
  mkdir -p "$out/$1/optimised"
  cp "$work/$1"/optimised/check_* "$out/$1/optimised/"
  rm -f "$out/$1"/optimised/*.txt
  cp "$work/$1"/optimised/*_asked.txt "$out/$1/optimised/" 2> /dev/null || true
  grep -v '^gfortran' "$work/$1/run.sh" > "$out/$1/run.sh"
  chmod +x "$out/$1/run.sh"
}

for file in "$root"/regression/cases/accelerator_*.f90; do
  head=$(sed -n 's/^! head: //p' "$file" | head -1)
  size=$(sed -n 's/^! size: //p' "$file" | head -1)
  check "$(basename "$file" .f90)" "$file" "$head" "$size"
done
kernels=$root/regression/bench/parallel
kernel() { # kernel NAME HEAD SIZES [OPTIONS]: checks a kernel, and builds what times it and its gradient
  name=$1
  head=$2
  check "$name" "$kernels/$name/kernel_acc.f90" "$head" "$3" "$4"
  source=$here/times/$name.f90
  [ -f "$source" ] || source=$here/times/stencils.f90
  timed "$name" "$source" "$kernels/$name/kernel_acc.f90" "$head" "-D$name"
}

timed() { # timed NAME PROGRAM FILE HEAD FLAGS: the program with a file, its adjoint and the run-time library
  folder=$work/time_$1
  mkdir -p "$folder"
  adjoint=$folder/adjoint_b.${3##*.}
  if "$costate" adjoint "$3" $5 --head "$4" -o "$adjoint" 2> "$folder/log" &&
    gfortran -cpp $fflags -fopenacc $5 -J "$folder" $("$costate" config --fflags) "$here/times/stopwatch.f90" "$3" "$adjoint" \
      "$2" -o "$out/time_$1" $ldflags $("$costate" config --flibs) 2>> "$folder/log"; then
    return
  fi
  echo "time_$1: not built"
  cat "$folder/log"
}

kernel jacobi_2d 'kernel(f,a,b)/(a,b)' 'n=40 tsteps=7'
kernel heat_3d 'kernel(f,a,b)/(a,b)' 'n=16 tsteps=7'
kernel hdiff 'kernel(f,outf)/(inf,outf,coeff)' 'ni=12 nj=10 nk=4'
kernel vadv 'kernel(f,utens_stage)/(utens_stage,u_stage,wcon,u_pos,utens)' 'ni=12 nj=10 nk=8'
kernel docking 'kernel(f,energy)/(poses)' 'nposes=5 nligand=4 nprotein=7' '--value poses=-3:3 --value ligand=-2:2 --value protein=-4:4'
timed flow "$here/times/flow.f90" "$root/examples/flow/flow_model.F90" 'flow_model::final_energy(energy)/(theta)' -DFLOW_OPENACC

for lib in libgfortran.so.5 libgomp.so.1 libgomp-plugin-nvptx.so.1 libquadmath.so.0; do
  cp -L "/usr/lib/$(gcc -print-multiarch)/$lib" "$out/lib/"
done
cp "$here/run.sh" "$out/"
echo "$out holds the bundle; on the machine with the GPU: $out/run.sh"
