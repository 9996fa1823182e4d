export const texts = {
  plugin_library: "计划库",
  about_library: "将每个提交的计划保存为文件，并可全部搜索。",
  planFileLost_full: "磁盘已满：此计划没有文件副本。计划本身已保存，可以作出决定。",
  planFileLost_read_only: "计划文件夹不可写：此计划没有文件副本。计划本身已保存，可以作出决定。",
  planFileLost_refused: "计划文件夹指向别处：此计划没有文件副本。计划本身已保存，可以作出决定。",
  planFileLost_taken: "此标题和日期的文件名均已占用：此计划没有文件副本。计划本身已保存，可以作出决定。",
  planFileLost_unwritable: "磁盘出错：此计划没有文件副本。计划本身已保存，可以作出决定。",
  unitLostTracked: "Git 跟踪 .holdpoint/work 中的文件，这些文件绝不会被改动：此计划在那里没有副本。计划仍会执行。",
  unitLost: "此计划无法镜像到 .holdpoint/work（{because}）。计划仍会执行。",
  workUnitsHere: "此工作区中已批准的计划",
};
