"""Small programs as assembly, for tests that show one idea each."""

REVIEW = """\
program review

routine review: #0 -> #1 state #2 outcomes ok|rejected start list desc "Summarise notes, ask, file"
  definition list_files: #3 -> #4 outcomes ok|empty each empty: #0 uses list_files from notes effects read \
retry 3 delay 2 backoff 2 timeout 30 extra x-owner: "team"
  definition summarise: #0 -> #0 outcomes ok uses summarise

  block list: node
    bind    path <- input.folder, limit <- 20 as #3
    call    list_files retry 5 catch node_failed:quota|node_timeout -> later, node_failed -> later
    commit  state.files <- files on ok
    switch  empty -> __end__, later -> pause, ok -> each

  block pause: wait
    pause   1.5
    switch  ok -> list

  block each: foreach desc "every file"
    enter_foreach  state.files as file parallel max 4 errors collect locals state.draft
    next_item      -> one
    commit         state.failed <- errors on done
    switch         done -> both

  block one: node
    bind    path <- context.file as #0
    call    summarise timeout 2
    commit  state.draft <- .
    switch  ok -> each

  block both: fork
    fork  ask, log when and(exists(state.failed), not(eq(state.failed, []))) -> log join joined

  block log: subgraph
    bind         lines <- state.failed as #0
    enter_child  report routine #1
    switch       ok -> joined

  block joined: join
    switch  ok -> ask

  block ask: interrupt
    bind    prompt <- "File these?", data <- state.draft as #0
    ask     approval outcomes submitted|cancelled resume #4 each cancelled: #0
    switch  cancelled -> end_rejected, submitted -> check

  block check: condition
    decide  or(eq(state.approved, true), lt(state.count, 3.0)): false -> end_rejected, true -> __end__

  block end_rejected: end
    finish  rejected

routine report: #0 -> #0 state #0 outcomes ok start done

  block done: end
    finish  ok

schema #0 {"type":"object"}
schema #1 {"properties":{"draft":{}},"type":"object"}
schema #2 {"properties":{"draft":{},"failed":{"type":"array"},"files":{"type":"array"}},"type":"object"}
schema #3 {"properties":{"limit":{"default":1e+22},"path":{"type":"string"}},"type":"object"}
schema #4 true
"""

END = """\
program end

routine end: #0 -> #0 state #0 outcomes ok start done

  block done: end
    finish  ok

schema #0 {"type":"object"}
"""
