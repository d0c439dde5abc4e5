// A disk cache over its size limit: the oldest entries are removed, also among those of one second.
#include "support/disk_cache.h"

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace shapecast;

int main() {
    char folder[] = "/tmp/shapecast-disk-cache-XXXXXX";
    if (!mkdtemp(folder))
        return 1;
    {
        DiskCache cache(folder, 64 << 10);
        assert(cache.isOn());
        const std::string content(2000, 'x');
        auto keyOf = [](int number) { return cacheKey("entry " + std::to_string(number)); };
        auto store = [&](int number) {
            cache.store(keyOf(number), "label", content + std::to_string(number));
            assert(cache.load(keyOf(number)) == content + std::to_string(number));
        };
        for (int number = 0; number < 400; ++number) // many in one tick of the system's clock
            store(number);
        for (int number = 400; number < 460; ++number) { // each in a tick of its own
            usleep(20'000);
            store(number);
            for (int recent = std::max(400, number - 20); recent <= number; ++recent)
                assert(cache.load(keyOf(recent)) == content + std::to_string(recent));
        }
        assert(!cache.load(keyOf(0)));
        // A sparse file counts only its allocated blocks.
        const std::string hollow = std::string(folder) + "/" + std::string(32, 'f') + ".entry";
        std::ofstream(hollow) << "x";
        std::filesystem::resize_file(hollow, uintmax_t(1) << 40);
        for (int number = 460; number < 480; ++number)
            usleep(20'000), store(number);
        for (int number = 460; number < 480; ++number)
            assert(cache.load(keyOf(number)) == content + std::to_string(number));
        assert(cache.statistics().damaged == 0);
    }
    std::filesystem::remove_all(folder);
    std::puts("ok");
}
