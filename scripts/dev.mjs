import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ROOT, become, prepare } from './launch.mjs'

// npm run dev: runs the shop on port 3000, restarts it when its sources change, and serves Vite's pages on port 5173.

const node = prepare()
const vite = spawn(node, [join(ROOT, 'node_modules/vite/bin/vite.js')], { cwd: ROOT, stdio: 'inherit' })
process.on('exit', () => vite.kill())
become(node, 'src/app/main.server.ts', process.argv.slice(2), [
  '--watch-path=src',
  '--watch-path=sandbox',
  '--watch-preserve-output',
])
