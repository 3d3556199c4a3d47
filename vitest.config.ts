import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// These files start whole shops or wait long. Started last, they would prolong the run.
const LONG = /(drill|scripts)\/.*\.test\.ts$|(embedded\.server|probes|scan|sandbox.*sdk|sandbox.*loading)\.test\.ts$/

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId)
    const isIsolated = ({ project }: TestSpecification) => project.config.isolate
    const rank = (file: TestSpecification) => (isIsolated(file) ? 2 : isLong(file) ? 0 : 1)
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

// These files replace or depend on globals or modules, so each runs in its own process. The others share the modules of their worker:
// loading the whole shop once per file would double the CPU time of the run.
const ISOLATED = ['**/*.client.test.ts', 'src/identity/sign-in/races.server.test.ts']

const common = {
  setupFiles: ['test/quiet.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 20_000 } },
  restoreMocks: true,
}

export default defineConfig({
  test: {
    globalSetup: ['test/server.ts'],
    sequence: { sequencer: LongestFirst },
    // Two cores: tests wait more than they compute.
    maxWorkers: 4,
    projects: [
      {
        test: {
          ...common,
          name: 'shared',
          setupFiles: ['test/quiet.ts', 'test/cheapPasswords.ts'],
          isolate: false,
          include: ['{src,sandbox,demo,scripts,test,drill}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...ISOLATED],
        },
      },
      { test: { ...common, name: 'isolated', include: ISOLATED } },
    ],
  },
})
