#!/bin/sh
# Runs what build.sh made, on a machine with a GPU, and says which derivatives are right and how long gradients take.
here=$(cd "$(dirname "$0")" && pwd)
export LD_LIBRARY_PATH="$here/lib:$LD_LIBRARY_PATH" ACC_DEVICE_TYPE=${ACC_DEVICE_TYPE:-nvidia}
status=0
for program in "$here"/*/run.sh; do
  name=$(basename "$(dirname "$program")")
  if timeout 60 "$program" > "$here/$name.log" 2>&1; then
    echo "$name: right"
  else
    echo "$name: WRONG"
    tail -5 "$here/$name.log"
    status=1
  fi
done
echo "kernel, points in all, steps, primal ms, gradient ms, ratio"
for program in "$here"/time_*; do
  timeout 120 "$program" || status=1
done
exit $status
