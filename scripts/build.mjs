import { ensureBuilt, ensureInstalled, findNode } from './launch.mjs'

// npm run build: builds the pages, also if nothing changed.

ensureInstalled()
ensureBuilt(findNode(), { isForced: true })
