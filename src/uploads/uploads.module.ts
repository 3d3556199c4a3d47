import { HOLDS_SECONDS } from '../kit/health/finding.rules.ts'
import type { Kit } from '../kit/kit.module.ts'
import type { Module } from '../kit/module.server.ts'
import { openStorage } from './openStorage.server.ts'
import { checkScanner } from './scan.server.ts'
import { checkStorage } from './storage.server.ts'
import { uploadJobs } from './sweep.server.ts'
import { uploadRoutes } from './uploads.server.ts'
import type { UploadsConfig } from './uploads.settings.server.ts'

export const uploads = {
  async open({ config, database: { db }, secret, publicUrl }: Kit<UploadsConfig>) {
    const storage = await openStorage(config)
    const { remote: sources, maxFileBytes: maxBytes, maxBytesPerDay } = config
    const remote =
      Object.keys(sources).length > 0
        ? (await import('./remote/remote.server.ts')).openRemote({
            ...{ storage, secret, publicUrl, sources, maxBytes, maxBytesPerDay },
          })
        : null
    return {
      routes: [...uploadRoutes({ storage, secret, config, publicUrl }), ...(remote?.routes ?? [])],
      jobs: uploadJobs({ db, storage }),
      checks: [
        { name: 'storage', look: () => checkStorage(() => storage), holdsSeconds: HOLDS_SECONDS },
        { name: 'scanner', look: () => checkScanner(config), holdsSeconds: HOLDS_SECONDS },
      ],
      parts: { storage, remote },
      close: async () => remote?.close(),
    }
  },
} satisfies Module
