import { become, ensureBuilt, ensureInstalled, findNode } from './launch.mjs'

// npm start: the shop, from a fresh clone.

ensureInstalled()
const node = findNode()
ensureBuilt(node)
become(node, 'src/app/main.server.ts', process.argv.slice(2))
