import { chatIsOpen } from '../assistant/chatState.client.ts'
import { SalePage } from '../selling/sales/SalePage.tsx'

/** A sale, from which its seller writes to us. */
export const SaleSupportPage = ({ id }: { id: string }) => <SalePage id={id} onMessage={() => chatIsOpen.set(true)} />
