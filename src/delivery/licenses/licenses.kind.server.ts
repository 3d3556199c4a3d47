import type { Kind } from '../kindOfGoods.server.ts'
import { addSeats, issueLicenses, setSeatsAside, takeSeats } from './licenses.store.server.ts'
import { openLicenseVault } from './vault.server.ts'

/** Licence keys: one key per line, with a seat per copy. The product may include an installer. */
export const licenses: Kind = {
  name: 'license',
  deliver: (tx, _paymentId, lines, secret) => issueLicenses(tx, openLicenseVault(secret), lines),
  takeBack: takeSeats,
  give: {
    setAside: setSeatsAside,
    putBack: addSeats,
    // the recipient of seats gets a separate key
    handOver: (tx, to, _giftId, secret) => issueLicenses(tx, openLicenseVault(secret), [to]),
    isSpoiltByUse: false,
  },
}
