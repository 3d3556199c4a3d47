#!/bin/sh
# nginx.conf with the names that the nodes have in compose.yaml
sed -e 's/127\.0\.0\.1:3001/node1:3000/' -e 's/127\.0\.0\.1:3002/node2:3000/' /etc/primo/nginx.conf \
  > /etc/nginx/conf.d/default.conf
