import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, become, ensureBuilt, ensureInstalled, findNode } from './launch.mjs'

// npm run dev: the shop, started again when the server's part changes; the pages built again when the browser's does.

ensureInstalled()
const node = findNode()
ensureBuilt(node)
if (existsSync(join(ROOT, 'vite.config.ts'))) {
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  const args = ['build', '--watch', '--mode', 'development', '--logLevel', 'warn', '--no-emptyOutDir']
  const watcher = spawn(node, [vite, ...args], { cwd: ROOT, stdio: 'inherit' })
  process.on('exit', () => watcher.kill())
}
become(node, 'src/app/main.server.ts', process.argv.slice(2), ['--watch-path=src', '--watch-preserve-output'])
