import { startClouds } from './clouds.ts'

// Loaded before a shop (`--import`), so that its clouds are the stand-in.

await startClouds([
  { id: 'guide', name: 'Guide.txt', type: 'text/plain', bytes: Buffer.from('A guide to lettering. '.repeat(1000)) },
  { id: 'broken', name: 'Broken.pdf', type: 'application/pdf', bytes: Buffer.from('no PDF') },
])
