import type { Kind } from '../kindOfGoods.server.ts'
import { addSeats, issueLicenses, setSeatsAside, takeSeats } from './licenses.store.server.ts'
import { openLicenseVault } from './vault.server.ts'

/** Licence keys: one key for each line, with a seat for each copy. The product may have a file beside it, its installer. */
export const licenses: Kind = {
  name: 'license',
  deliver: (tx, _paymentId, lines, secret) => issueLicenses(tx, openLicenseVault(secret), lines),
  takeBack: takeSeats,
  give: {
    setAside: setSeatsAside,
    putBack: addSeats,
    // whoever claims seats gets a key of their own
    handOver: (tx, to, _giftId, secret) => issueLicenses(tx, openLicenseVault(secret), [to]),
    isSpoiltByUse: false,
  },
}
