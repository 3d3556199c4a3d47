export const handleProblem = (handle: string): string | null =>
  /^(?=.{3,30}$)[a-z0-9]+(-[a-z0-9]+)*$/.test(handle) ? null : 'Use 3 to 30 letters, digits and single hyphens'
