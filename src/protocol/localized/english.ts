/**
 * What the gateway itself says to people, by key; what a plugin says stands in its folder (`texts/en.ts`). This is the
 * source: every language of the page has a text for every key (`ui/i18n/<locale>/localized.ts`). Keys stand in what is
 * stored: add, never rename. A placeholder that ends in `AtMs` is a moment; `{count}` chooses between singular and plural.
 */
export const ENGLISH = {
  // commands
  commandLine: "{command} — {what}",
  usage: "Usage:",
  didYouMean: "Did you mean {command}?",
  noCommand: "There is no command {command}.",
  knownCommands: "Known are {commands}. A message cannot begin with a slash.",
  takesNothing: "{command} takes nothing behind it.",
  doneAlready: "This was done already.",

  // how a session stands
  kind_chat: "chat",
  kind_subagent: "subagent",
  kind_cron: "cron",
  kind_poller: "poller",
  kind_heartbeat: "heartbeat",
  kind_hook: "hook",
  kind_external: "external",

  // cards
  cardTimedOut: "Time ran out before anybody decided. The agent can submit the plan again.",
  cardWithdrawn: "It was withdrawn.",
  cardNoSandbox:
    "Commands run without a sandbox here (tools.exec.sandbox: none): one that is approved can reach the gateway's own folder.",
  cardUnattendedHeading: "Nobody attends it",
  cardUnattendedOpen: "Runs that nobody attends may change things here (automation.unattended: open).",
  cardQuestionExpired: "Time ran out before anybody answered.",
  cardNeedsScope: "Your log-in may read this, but not decide. It needs the scope {scope}.",
  cardYouSigned: "You have signed. Others must sign too.",

  // what was typed and cannot be taken
  approversAre: "Decisions here are limited to {names} (approvals.approvers); you are not among them.",
  presenceNeeded: "This decision needs your passkey, which is given on the page.",
  presenceLink: "This decision needs your passkey. Give it on the page: {link}",
  presenceNoKey:
    "This needs a passkey, and {name} has none here. An operator with operator.admin can make a link to add one: holdpoint passkeys link",
  presenceNoName:
    "This needs a passkey, and passkeys work only where the page has a name. Set gateway.pageAddress to https://… or http://localhost:{port}.",
  presenceUsed:
    "This signature answers nothing that is open: it was used before, came too late, or is not yours. Decide again.",
  presenceOther: "This signature is for another decision. Decide again.",
  presenceForeignKey: "This is none of your passkeys here.",
  presenceRevokedKey: "This passkey was revoked.",
  presenceUnverified:
    "The passkey was used without a check of who you are (PIN, fingerprint or face). Nothing was decided.",
  presenceOrigin: "This signature was made on another page than this gateway’s. Nothing was decided.",
  presenceCounter:
    "This passkey has signed elsewhere in the meantime, as a copy of it would. Nothing was decided; revoke it.",
  presenceBroken: "This signature does not hold. Nothing was decided.",
  presenceAuto: "Decisions here need a passkey (approvals.presence); auto cannot replace it.",
  enrolUsed: "This link was used already, or is too old. Ask for another.",
  enrolRefused: "This passkey cannot be taken: {reason}",
  inboxFull: "{max} messages wait for the agent already; let it catch up or stop its turn.",
  tokensFull: "At most {max} tokens can be valid at once. Revoke those that nobody uses.",

  // notices
  unknownStopped:
    "A call of {tool} was under way when the gateway stopped. Its outcome is unknown and it was not repeated.",
  unknownReset:
    "A call of {tool} was under way when the session was reset. Its outcome is unknown and it was not repeated.",
  unknownCaller:
    "A call of {tool} was under way when its caller was lost. Its outcome is unknown and it was not repeated.",
  externalSession: "An agent outside of this gateway works in this session: write to it there.",
  neverEnds: "The turn was started {times} times without coming to its end, so it was given up.",
  tooManyRequests: "The agent asked its model {times} times in one turn and was stopped. Say how to go on.",
  onlyAnnounced: "The agent said {times} times what it will do without doing it. Say how to go on.",
  cutShort: "The model reached the limit of one answer; its last words may be missing.",
  answerTooLarge: "An answer may hold {max} characters, tool calls included. Split it.",
  backgroundEnded:
    "The gateway ended what ran in the background ({programs}): nothing may change in this session now. Start it again once a plan is approved, if it is still needed.",
  agentMessage: "Message from the agent:",
  pluginSent: "{plugin} sent {file} ({type}):",
  fileSteers: "{file} holds text that tries to steer the agent; the agent sees it quoted as data.",
  fileLine: "line {line} ({kind}): {excerpt}",
  fileMore: "And {more} more.",
  finding_override: "tells the agent to discard its instructions",
  finding_identity: "gives the agent another identity without limits",
  finding_concealment: "asks to hide something from you",
  finding_forged_approval: "skips or forges your approval",
  finding_forged_voice: "speaks as the system or the operator",
  finding_envelope: "imitates the gateway's own messages",
  finding_hidden_text: "holds characters that cannot be seen",
  finding_hidden_comment: "addresses the agent in a hidden comment",
  finding_encoded: "hides instructions in an encoding",
  finding_special_token: "imitates the markup of a conversation",
  finding_exfiltration: "sends secrets away",
  finding_tool_call: "imitates a call of a tool",
  finding_remote_code: "runs code from a stranger",
  fileTooLong: "{file} is too long for the prompt: only its beginning went in.",
  ownFile: "{file} (of this agent)",
  skillFile: "the skill {skill}",
  skillsMax: "More than {max} skills: the rest is left out.",
  skillUnnamed: "The skill in {folder} is left out: its front matter needs a name and a description.",
  askingInstead: "[asking {model} instead]",
  modelRests: "{model} did not answer a moment ago and is left alone for a while.",
  askingAgainIn: "[asking again in {seconds} s]",

  // models that could not answer
  modelUnread: "{model} sent something that cannot be read.",
  modelOtherTools:
    "The request to {model} did not name exactly the tools that it should ({tools}), so it was not sent.",
  modelTooLong:
    "{model} cannot take a conversation of this length. Begin a new session, or choose a model with a larger window.",
  modelBrokeOff: "{model} broke off before its answer was complete.",
  modelBrokeOffBecause: "{model} broke off ({words}).",
  modelNoCredit: "{model} has no credit left ({words}).",
  modelKeyRefused: "{model} refused the key ({status}). Check {keys}.",
  modelKeyless: "{model} refused to answer without a key ({status}). Name one with apiKeyName in its providers entry.",
  modelNotThere: "{model} is not there (404: {words}). Check its name and address.",
  modelLimits: "{model} limits how often it is asked.",
  modelLimitsWait: "{model} limits how often it is asked and asks to wait {seconds} seconds.",
  modelRefused: "{model} refused it ({status}: {words}).",
  modelAway: "{model} cannot answer now ({status}).",
  modelUnreachable: "{model} cannot be reached ({words}).",
  modelFiltered: "{model}: the provider's content filter stopped the answer. Say it differently.",
  modelNotBegun: "{model} did not begin to answer within {seconds} seconds.",
  modelSilent: "{model} fell silent and did not go on within {seconds} seconds.",
  modelEndless: "{model} answered without end.",
  modelUnknown:
    'There is no model "{model}". Write it as provider/model with one of these providers: {providers}; or add yours under "providers".',
  modelNoAddress: '{model} has no address. Give the provider "{provider}" a baseUrl in the configuration.',
  modelNeedsKey:
    '{model} needs a key. Set {keys} in the environment of the gateway, or write the line "{key}: <your key>" into {file}. Then say it again.',
  modelFault: "The model could not be asked because of a fault in the gateway. The log tells more.",
  answerTooLong: "The model's answer was longer than one answer may be.",
  callTooDeep: "The model nested the arguments of a call too deeply.",
  answerBrokeOff: "The model broke off before its answer was complete.",
  answerSilent: "The model stopped answering.",

  // the audit chain
  chainMissing: "row {seq} is missing",
  chainBroken: "row {seq} does not continue the row before it",
  chainAltered: "row {seq} was altered",
  chainCut: "rows {from} to {to} at the end are missing",
  chainForeign: "rows after {seq} were not written by a gateway",
  chainNotLast: "row {seq} is not the one that was written last",
  chainDocument: "the document {kind} {id} that row {seq} names was altered or removed",

  // plugins
  pluginCommandOff:
    "{command} belongs to the plugin {plugin}, which is disabled. Enable it with: holdpoint plugins enable {plugin}",
  pluginOnlyReads:
    "{command} needs no more than operator.read, so it may change nothing; the plugin {plugin} tried to.",
  pluginSwitchedOff: "{command} changed nothing: the plugin {plugin} was switched off meanwhile.",
  pluginTooLong:
    "{command} took longer than {seconds} s in the plugin {plugin}; nothing was changed by it. The gateway's log tells more.",
  commandOwned:
    "{command} belongs to the plugin {owner}. An operator hands it over with: holdpoint plugins own {name} {plugin}",
  pluginBadResult:
    "{command} of the plugin {plugin} gave an answer that is no result ({reason}); nothing was changed by it.",
  pluginFailed: "{command} failed in the plugin {plugin}; nothing was changed by it. The gateway's log tells more.",
  pluginUnusable: 'The plugin "{plugin}" cannot be used: {because}',
  pluginUnknown: 'There is no plugin "{plugin}". List them with plugins.list.',
  pluginAskedOther: 'What was agreed to is not what "{plugin}" asks for. Look at it again.',
  pluginAsks: '"{plugin}" asks for {asks}. Agree by sending its askDigest as agree.',
  offForAll: "Plugins are switched off by plugins.enabled in the configuration.",
  offByEntry: "It is switched off by plugins.entries.{plugin}.enabled in the configuration.",
  offUntilNow: "Nobody has switched it on yet: holdpoint plugins enable {plugin}",
  off: "It was switched off.",
  offBy: "{name} switched it off.",
  offAtTerminal: "It was switched off at the command line.",
  offFailed: "It was switched off: {why}.",
  tooOften: "it failed more than {times} times within {seconds} s",
  offUnagreed: "It asks for what nobody has agreed to yet.",
  asksMore: "It asks for more than was agreed to: {asks}. See: holdpoint plugins enable {plugin}",
  onlyTrusted: "It only works when it is trusted. If you do: holdpoint plugins trust {plugin}",
  configMisfit: "plugins.entries.{plugin}.config does not fit: {problem}.",
  filesUnread: "Its files cannot be read ({problem}).",
  filesUntrusted:
    "Its files are not those that were trusted. Look at them, then trust them again or not: holdpoint plugins trust {plugin}",
  filesChanged:
    "Its files have changed since it was switched on. Look at them, then: holdpoint plugins enable {plugin}",
  filesOther:
    "Its files are not those that were installed. Install it again, or remove it: holdpoint plugins remove {plugin}",
  otherVersion: "Another version of it is in this process already: restart the gateway.",
  folderGone: "Its folder is gone. Mend it, install it again, or: holdpoint plugins remove {plugin}",
  folderBad: "{problem} Mend it, install it again, or: holdpoint plugins remove {plugin}",
  recordedGone: "It is recorded, and its folder is gone or cannot be used.",
  configuredGone: "plugins.entries.{plugin} is in the configuration, and there is no such plugin.",
  pluginsMax: "There are more than {max} plugins.",
  pluginThere: '{folder}: "{plugin}" is there already, in {other}.',
  pluginClash: '{folder}: "{plugin}" is a plugin of the house, and nobody else can be it.',
  folderProblem: "{folder}: {problem}",
  notAFolder: "{path} is no folder.",
  advice_reinstall: "Install it again, or: holdpoint plugins remove {plugin}",
  advice_install: "Install it, or: holdpoint config unset plugins.entries.{plugin}",
  advice_mended: "When it is mended: holdpoint plugins enable {plugin}",
  advice_notLoaded: "It is not loaded until this is mended.",
  advice_records: "Mend plugins.json, or remove it and decide anew.",
  advice_fewer: "Remove those that nobody uses.",
  advice_folder: "Mend it, or take the folder away.",
  skillTemplateInvalid:
    "The plan template of the skill {skill} is left out: it is a list of steps, and archetype is one of the known kinds.",
  skillTemplateSteers:
    "The plan template of the skill {skill} is left out: its steps look like an attempt to steer the agent.",
} as const;
