/**
 * Returns the processor time of `work` in this process in milliseconds. Unlike wall-clock time, it does not grow when
 * the machine is busy.
 */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
