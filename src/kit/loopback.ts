const HOST = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?|\[?::ffff:127(\.\d{1,3}){3}\]?)$/i

export const isLoopback = (host: string): boolean => HOST.test(host)
