import type { Route } from '../kit/handle.server.ts'
import type { Storage } from '../uploads/storage.server.ts'
import { codeRoutes } from './codes/codes.server.ts'
import { downloadRoutes } from './files/downloads.server.ts'
import { type LicenseOptions, licenseRoutes } from './licenses/licenses.server.ts'

type DeliveryOptions = LicenseOptions & { storage: Storage }

export const deliveryRoutes = ({ storage, secret, ...options }: DeliveryOptions): Route[] => [
  ...downloadRoutes({ storage, secret }),
  ...codeRoutes({ secret }),
  ...licenseRoutes({ secret, ...options }),
]
