// Replaces the browser objects that modules read at import, in the bundle that renders pages on the server.

export const location = { pathname: '', hash: '', search: '', href: '' }
export const sessionStorage = { getItem: () => null }
export const addEventListener = () => undefined
