import { prepare } from './launch.mjs'

// npm run build: builds the pages, also if nothing changed.

prepare({ isForced: true })
