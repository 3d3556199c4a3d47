export type ChatTexts = {
  CHAT_NAME: string
  CHAT_FEATURE: string
  CHAT_FEATURE_ABOUT: string
  CHAT_INTRO: string
}

export const chatTexts = (hasAssistant: boolean): ChatTexts =>
  hasAssistant
    ? {
        CHAT_NAME: 'AI Assistant',
        CHAT_FEATURE: 'AI Chat Support',
        CHAT_FEATURE_ABOUT: 'Answers 24/7.',
        CHAT_INTRO:
          'Sign in to ask about an order, a code, or a product. The assistant answers from the store’s own data, and a person reads what it can’t answer.',
      }
    : {
        CHAT_NAME: 'Support',
        CHAT_FEATURE: 'Chat Support',
        CHAT_FEATURE_ABOUT: 'Real people answer.',
        CHAT_INTRO: 'Sign in to ask about an order, a code, or a product. A person reads and answers.',
      }
