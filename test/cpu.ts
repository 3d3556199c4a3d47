/**
 * The processor time that a work takes in this process, in milliseconds: unlike the clock on the wall it does not grow
 * when the machine has other work.
 */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
