#!/bin/bash
set -u
port=4173
log=$(mktemp /tmp/preview.XXXXXX.log)
failed=0

npm run build || exit 1
npx vite preview --port "$port" >"$log" 2>&1 &
server=$!

stop() {
  kill "$server" 2>/dev/null || true
  wait "$server" 2>/dev/null || true
  rm -f "$log" /tmp/preview-page.html
}
trap stop EXIT INT TERM

for try in {1..40}; do
  if curl -fsS "http://localhost:$port/" >/dev/null 2>&1; then break; fi
  if [ "$try" -eq 40 ]; then echo "no answer"; exit 1; fi
  sleep 0.25
done

expect() {
  local wanted=$1 method=$2 path=$3
  shift 3
  local got
  got=$(curl -s -o /tmp/preview-page.html -w '%{http_code}' -X "$method" "http://localhost:$port$path" "$@")
  if [[ $got == "$wanted" ]]; then
    echo "ok   $method $path"
  else
    echo "FAIL $method $path: $got instead of $wanted"
    head -c 300 /tmp/preview-page.html; echo
    failed=$((failed + 1))
  fi
}

expect 200 GET /
expect 200 GET /about
expect 200 GET '/search?q=tea'
expect 201 POST /api/notes -H 'Content-Type: application/json' -d '{"title":"tea"}'
expect 400 POST /api/notes -H 'Content-Type: application/json' -d '{}'
expect 404 GET /missing

echo "--- log"
tail -n 20 "$log"
exit "$failed"
