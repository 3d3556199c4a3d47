/** Excludes numeric addresses in any notation and names without a dot. */
const NAME = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/
/** Names of internal networks and reserved names. */
const INTERNAL = /\.(localhost|local|internal|lan|home|corp|arpa|test|invalid)$/

/** Returns whether the host name of a URL can be a name of the public internet. */
export const isPublicName = (hostname: string): boolean => NAME.test(hostname) && !INTERNAL.test(hostname)
