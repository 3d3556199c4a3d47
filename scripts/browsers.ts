/** The oldest browsers that Primo is built for (decisions/0019); the build and the test of what is called both read it. */
export const BROWSERS = { chrome: 120, safari: 17.4, firefox: 125 }

export type Browsers = typeof BROWSERS

/** As the build wants to be told: 'chrome120'. */
export const targets = Object.entries(BROWSERS).map(([name, version]) => name + version)
