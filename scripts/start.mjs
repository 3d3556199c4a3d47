import { become, prepare } from './launch.mjs'

// npm start: runs the shop, also from a fresh clone. package.json uses `exec`, because a shell between npm and this
// process would swallow signals; Windows has no exec and runs the command after ||.

// Saves 20 MB of memory at the same speed.
become(prepare(), 'src/app/main.server.ts', process.argv.slice(2), ['--max-semi-space-size=8'])
