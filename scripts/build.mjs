import { ensureBuilt, ensureInstalled, findNode } from './launch.mjs'

// npm run build: the pages, whether they need it or not.

ensureInstalled()
ensureBuilt(findNode(), { isForced: true })
