import { createECDH, hkdfSync } from 'node:crypto'

/** The VAPID key pair, base64url. */
export type PushKeys = { publicKey: string; privateKey: string }

/** Derives the pair from the shop's secret, so that all nodes share it. */
export function derivePushKeys(secret: string): PushKeys {
  const pair = createECDH('prime256v1')
  for (let attempt = 0; ; attempt++) {
    const bytes = Buffer.from(hkdfSync('sha256', secret, '', `push ${attempt}`, 32))
    try {
      pair.setPrivateKey(bytes)
    } catch {
      // Beyond the order of the curve: once in 2^32 secrets.
      continue
    }
    return { publicKey: pair.getPublicKey('base64url'), privateKey: pair.getPrivateKey('base64url') }
  }
}
