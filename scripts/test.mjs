import { become, prepare } from './launch.mjs'

// npm test: runs the whole suite from a fresh clone. An early end prints a failure as the last line.

process.on('exit', (code) => {
  if (code !== 0 && !isSuiteRunning) process.stdout.write('0 passed, 1 failed\n')
})
let isSuiteRunning = false

const node = prepare()
isSuiteRunning = true
become(node, 'scripts/suite.ts', process.argv.slice(2))
