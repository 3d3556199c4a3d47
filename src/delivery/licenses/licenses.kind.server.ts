import type { Kind } from '../kindOfGoods.server.ts'
import { addSeats, issueLicenses, setSeatsAside, takeSeats } from './licenses.store.server.ts'
import { openLicenseVault } from './vault.server.ts'

/** Licence keys: one key for each line, with a seat for each copy. The product may have a file beside it, its installer. */
export const licenses: Kind = {
  name: 'license',
  shown: `(SELECT json_build_object('kind', 'license', 'devices', k.seats * k.devices_per_seat,
      'file', CASE WHEN f.id IS NOT NULL THEN json_build_object('fileName', f.file_name, 'sizeBytes', f.size_bytes) END)
    FROM licenses k WHERE k.order_line_id = l.id)`,
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
