import { become, ensureBuilt, ensureInstalled, findNode } from './launch.mjs'

// npm start: the shop, from a fresh clone. The script says `exec` because a shell between npm and this process keeps
// signals to itself; Windows has no exec and takes the second half.

ensureInstalled()
const node = findNode()
ensureBuilt(node)
become(node, 'src/app/main.server.ts', process.argv.slice(2))
