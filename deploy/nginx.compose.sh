#!/bin/sh
# nginx.conf with the names that the nodes have in compose.yaml. A node that is replaced gets another address, so nginx asks for it again
# every two seconds, which needs nginx 1.27.3 or newer. Docker and Podman have different name servers.
resolver=$(awk '/^nameserver/ { print $2; exit }' "${3:-/etc/resolv.conf}")
sed -E -e 's/127\.0\.0\.1:3001( .*)?;/node1:3000\1 resolve;/' -e 's/127\.0\.0\.1:3002( .*)?;/node2:3000\1 resolve;/' \
  -e "s/^upstream (.*) \{/&\n  zone \1 64k;\n  resolver ${resolver:-127.0.0.11} valid=2s;/" \
  -e 's/^( *)listen (.*) ssl http2;/\1listen \2 ssl;\n\1http2 on;/' "${1:-/etc/primo/nginx.conf}" \
  > "${2:-/etc/nginx/conf.d/default.conf}"
