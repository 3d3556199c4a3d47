import { createECDH, hkdfSync } from 'node:crypto'

/** The key pair that push services know the shop by, base64url. */
export type PushKeys = { publicKey: string; privateKey: string }

/** Made out of the shop's secret, so that all nodes have the same pair and it lasts as long as the secret does. */
export function derivePushKeys(secret: string): PushKeys {
  const pair = createECDH('prime256v1')
  for (let attempt = 0; ; attempt++) {
    const bytes = Buffer.from(hkdfSync('sha256', secret, '', `push ${attempt}`, 32))
    try {
      pair.setPrivateKey(bytes)
    } catch {
      // beyond the order of the curve: once in 2^32 secrets
      continue
    }
    return { publicKey: pair.getPublicKey('base64url'), privateKey: pair.getPrivateKey('base64url') }
  }
}
