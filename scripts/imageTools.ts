import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync, appendFileSync } from 'node:fs'
import { join } from 'node:path'

// Runs buildah and podman with a separate storage folder, so that they change nothing else on the machine.

/** `podman run --init` starts catatonit. */
export const TOOLS = ['buildah', 'podman', 'runc', 'catatonit'] as const
export const have = (tool: string) => spawnSync(tool, ['--version']).status === 0

const BASE = 'docker.io/library/node:24-slim'
const NPM_MODULES = '/usr/local/lib/node_modules/npm'

export class ImageTool {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv

  constructor(folder: string) {
    this.folder = folder
    const storage = join(folder, 'storage.conf')
    const containers = join(folder, 'containers.conf')
    writeFileSync(storage, `[storage]\ndriver = "overlay"\ngraphroot = "${folder}/graph"\nrunroot = "${folder}/run"\n`)
    // crun rejects hybrid cgroups. Podman's default ulimits need the right to raise limits.
    writeFileSync(
      containers,
      '[containers]\ndefault_ulimits = ["nofile=20000:20000", "nproc=20000:20000"]\n[engine]\nruntime = "runc"\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n',
    )
    this.env = {
      ...process.env,
      CONTAINERS_STORAGE_CONF: storage,
      CONTAINERS_CONF: containers,
      BUILDAH_RUNTIME: 'runc',
    }
  }

  run(program: string, args: string[]) {
    return spawnSync(program, args, { env: this.env, encoding: 'utf8', maxBuffer: 1e9 })
  }

  async start(args: string[]) {
    const child = spawn('podman', args, { env: this.env, stdio: 'ignore' })
    await once(child, 'close')
  }

  /** The `docker` format supports HEALTHCHECK; OCI does not. */
  build(source: string, tag: string) {
    const args = [
      'bud',
      '--pull-never',
      '--isolation',
      'oci',
      '--format',
      'docker',
      '--network',
      'host',
      '-t',
      tag,
      source,
    ]
    const { status } = spawnSync('buildah', args, { env: this.env, stdio: ['ignore', 'inherit', 'inherit'] })
    if (status !== 0) throw new Error(`the image was not built: buildah ended with ${status}`)
  }
}

export const podman = (tool: ImageTool, args: string[]) => tool.run('podman', args)

/** Pulls the base image. If no registry responds, builds a similar one from Debian's packages and npm's Node. */
export async function baseImage(tool: ImageTool) {
  if (tool.run('buildah', ['pull', BASE]).status === 0) return
  if (!have('mmdebstrap')) throw new Error(`${BASE} cannot be pulled. Install mmdebstrap, which makes a stand-in.`)
  process.stdout.write(`${BASE} cannot be pulled: a stand-in is made from Debian's packages\n`)
  const root = join(tool.folder, 'base')
  const must = (program: string, args: string[]) => {
    const { status, stderr } = spawnSync(program, args, { encoding: 'utf8', cwd: tool.folder, maxBuffer: 1e9 })
    if (status !== 0) throw new Error(`${program} failed: ${stderr.slice(-2000)}`)
  }
  must('mmdebstrap', ['--variant=minbase', '--include=ca-certificates', '--format=directory', 'bookworm', root])
  copyFileSync(process.execPath, join(root, 'usr/local/bin/node'))
  const npm = process.env.npm_execpath?.replace(/\/bin\/npm-cli\.js$/, '') ?? NPM_MODULES
  cpSync(npm, join(root, NPM_MODULES), { recursive: true })
  for (const name of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(root, 'usr/local/bin', name))
  appendFileSync(join(root, 'etc/passwd'), 'node:x:1000:1000::/home/node:/bin/sh\n')
  appendFileSync(join(root, 'etc/group'), 'node:x:1000:\n')
  mkdirSync(join(root, 'home/node'), { recursive: true })
  const certificates = '/etc/ssl/certs/ca-certificates.crt'
  if (existsSync(certificates)) copyFileSync(certificates, join(root, 'etc/machine-ca.crt'))
  must('tar', ['cf', 'base.tar', '-C', root, '.'])
  const changes = [
    'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    'ENV NODE_EXTRA_CA_CERTS=/etc/machine-ca.crt',
  ]
  const { status, stderr } = podman(tool, [
    'import',
    ...changes.flatMap((one) => ['--change', one]),
    join(tool.folder, 'base.tar'),
    BASE,
  ])
  if (status !== 0) throw new Error(`the stand-in was not imported: ${stderr}`)
}
