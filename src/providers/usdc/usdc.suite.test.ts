import { describe } from 'vitest'
import { hasAnvil } from '../../../test/chain/chain.ts'
import { openUsdcShop } from '../../../test/chain/usdcShop.ts'
import { unitsOf } from './units.rules.ts'
import { describeProvider, LEFT_OUT, type ProviderStage } from '../../../test/providerSuite.ts'
import { giveRefundAddress, markSent } from './transfers.contract.ts'

const none = async () => {
  throw new Error('no test of USDC asks for this')
}

describe.skipIf(!hasAnvil)('provider suite', () => {
  describeProvider(
    'USDC on a local chain',
    async (): Promise<ProviderStage> => {
      const { shop, chain, context, look, close } = await openUsdcShop()
      const { db } = shop.database
      /** Maps each payment to the wallet of its buyer. */
      const wallets = new Map<string, string>()
      const addressOf = async (paymentId: string) =>
        db.selectFrom('usdcAddresses').select('address').where('paymentId', '=', paymentId).executeTakeFirstOrThrow()
      return {
        shop: { ...shop, close },
        approve: async (address) => {
          const { units } = await db
            .selectFrom('usdcAddresses')
            .select('units')
            .where('address', '=', address)
            .executeTakeFirstOrThrow()
          await chain.send(address, units)
          await chain.mine()
          await look()
        },
        setFault: async (fault) => chain.lie(fault === null ? null : 'away'),
        takenOf: async (paymentId) => {
          const units = await chain.balanceOf((await addressOf(paymentId)).address)
          if (units === 0) return null
          const back = wallets.has(paymentId) ? await chain.balanceOf(wallets.get(paymentId)!) : 0
          return { cents: units / unitsOf(1), refundedCents: back / unitsOf(1) }
        },
        sendRefund: async (refundId) => {
          const { id, paymentId, amountCents, orderId, email } = await db
            .selectFrom('usdcExceptions as e')
            .innerJoin('payments as p', 'p.id', 'e.paymentId')
            .innerJoin('orders as o', 'o.id', 'p.orderId')
            .innerJoin('users as u', 'u.id', 'o.userId')
            .select(['e.id', 'e.paymentId', 'e.amountCents', 'p.orderId', 'u.email'])
            .where('refundId', '=', refundId)
            .executeTakeFirstOrThrow()
          const wallet = wallets.get(paymentId) ?? context.wallet.addressAt(1_000_000 + wallets.size)
          wallets.set(paymentId, wallet)
          const cookie = await shop.identity.createSession(email)
          await shop.call(giveRefundAddress, { orderId, address: wallet }, { headers: { cookie } })
          const staff = await shop.join({ role: 'finance' })
          await staff.call(markSent, { id, txHash: await chain.send(wallet, unitsOf(amountCents)) })
          await chain.mine()
          await look()
          await look()
        },
        decline: none,
        show: none,
        eventOf: none,
        saveMethod: none,
      }
    },
    LEFT_OUT.usdc,
  )
})
