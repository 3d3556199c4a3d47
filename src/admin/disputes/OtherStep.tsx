import type { DisputeCase } from '../../aftersale/disputes/dispute.contract.ts'
import { ReplyToInquiry } from './ReplyToInquiry.tsx'
import { SettleDispute } from './SettleDispute.tsx'

type OtherStepProps = { file: DisputeCase; refresh: () => Promise<unknown> }

/** The step for a dispute that accepts no evidence. */
export const OtherStep = (props: OtherStepProps) =>
  props.file.missingSince ? <SettleDispute {...props} /> : <ReplyToInquiry {...props} />
