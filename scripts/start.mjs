import { become, ensureBuilt, ensureInstalled, findNode } from './launch.mjs'

// npm start: the shop, from a fresh clone. The script says `exec` because a shell between npm and this process keeps
// signals to itself; Windows has no exec and takes the second half.

ensureInstalled()
const node = findNode()
ensureBuilt(node)
// smaller nurseries for new objects: 20 MB less memory, and no slower
become(node, 'src/app/main.server.ts', process.argv.slice(2), ['--max-semi-space-size=8'])
