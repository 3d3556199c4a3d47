import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ROOT, become, ensureBuilt, ensureInstalled, findNode } from './launch.mjs'

// npm run dev: the shop on port 3000, started again when its part changes, and Vite's pages on http://localhost:5173.

ensureInstalled()
const node = findNode()
ensureBuilt(node)
const vite = spawn(node, [join(ROOT, 'node_modules/vite/bin/vite.js')], { cwd: ROOT, stdio: 'inherit' })
process.on('exit', () => vite.kill())
become(node, 'src/app/main.server.ts', process.argv.slice(2), [
  '--watch-path=src',
  '--watch-path=sandbox',
  '--watch-preserve-output',
])
