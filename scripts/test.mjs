import { become, ensureBuilt, ensureInstalled, findNode } from './launch.mjs'

// npm test: the whole suite from a fresh clone. Whatever ends it early, the last line counts as a failure.

process.on('exit', (code) => {
  if (code !== 0 && !isSuiteRunning) process.stdout.write('0 passed, 1 failed\n')
})
let isSuiteRunning = false

ensureInstalled()
const node = findNode()
ensureBuilt(node)
isSuiteRunning = true
become(node, 'scripts/suite.ts', process.argv.slice(2))
