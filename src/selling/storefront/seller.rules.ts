/** The parts of a public name: 'Mary Ann S.' -> 'Mary Ann' and 'S.' */
export function namesOf(name: string): { firstName: string; lastName: string } {
  const at = name.lastIndexOf(' ')
  return at < 0 ? { firstName: name, lastName: '' } : { firstName: name.slice(0, at), lastName: name.slice(at + 1) }
}
