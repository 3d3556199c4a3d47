import { become, prepare } from './launch.mjs'

// node scripts/run.mjs [--build] <file> [arguments]: runs a file of the repository on Node 24.

const isBuildAsked = process.argv[2] === '--build'
const [file, ...args] = process.argv.slice(isBuildAsked ? 3 : 2)
become(prepare({ isBuilt: isBuildAsked }), file, args)
