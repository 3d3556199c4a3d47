import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// these start and stop whole shops, or wait for what takes its time; begun last they would keep the run waiting
const LONG = /(drill|scripts)\/.*\.test\.ts$|(embedded\.server|probes|scan|sandbox.*sdk)\.test\.ts$/

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'sandbox/**/*.test.ts',
      'demo/**/*.test.ts',
      'scripts/**/*.test.ts',
      'test/**/*.test.ts',
      'drill/**/*.test.ts',
    ],
    environment: 'node',
    globalSetup: ['test/server.ts'],
    setupFiles: ['test/quiet.ts'],
    sequence: { sequencer: LongestFirst },
    // two cores: tests wait more than they work
    maxWorkers: 4,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // ends as soon as it is so
    expect: { poll: { timeout: 20_000 } },
    restoreMocks: true,
  },
})
