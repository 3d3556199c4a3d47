import { spawnSync } from 'node:child_process'

type Try = { isTried: boolean; problem: string }

/**
 * Installs Debian packages as root, within the time limit. Fails after some seconds without a network. Does nothing on
 * other systems or without root.
 */
export function installPackages(names: string[], limitMs = Infinity): Try {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0)
    return { isTried: false, problem: 'only root on Debian installs packages' }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const end = Date.now() + limitMs
  const run = (...args: string[]) => {
    const timeout = limitMs === Infinity ? undefined : Math.max(1, end - Date.now())
    const options = ['-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=10']
    const { status, stderr } = spawnSync('apt-get', [...options, ...args], {
      ...{ env, timeout, killSignal: 'SIGINT', encoding: 'utf8' },
    })
    return status === 0
      ? ''
      : (stderr
          .trim()
          .split('\n')
          .findLast((line) => line.startsWith('E: ')) ?? 'it took too long')
  }
  // An old package list may refer to an old browser. If the update fails, the installation may still succeed.
  run('update')
  return { isTried: true, problem: run('install', '-y', '--no-install-recommends', ...names) }
}
