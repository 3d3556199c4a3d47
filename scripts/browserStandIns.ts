// What modules read from the browser as they load. The build puts these in its place in the bundle that draws pages on the server.

export const location = { pathname: '', hash: '', search: '', href: '' }
export const sessionStorage = { getItem: () => null }
export const addEventListener = () => undefined
