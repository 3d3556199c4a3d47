/** The oldest supported browsers (decisions/0022), for the build and the test of web APIs. */
export const BROWSERS = { chrome: 123, safari: 17.5, firefox: 125 }

export type Browsers = typeof BROWSERS

export const targets = Object.entries(BROWSERS).map(([name, version]) => name + version)
