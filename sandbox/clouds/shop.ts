import { startClouds } from './clouds.ts'

// Load before the shop (`--import`), so that it imports from simulated clouds.

await startClouds([
  { id: 'guide', name: 'Guide.txt', type: 'text/plain', bytes: Buffer.from('A guide to lettering. '.repeat(1000)) },
  { id: 'broken', name: 'Broken.pdf', type: 'application/pdf', bytes: Buffer.from('no PDF') },
])
